# Completes the command lines of mem in bash: mem itself says what fits, names of memories and settings among it.
_mem() {
    local word
    COMPREPLY=()
    # A name may have any character but those that end a line.
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <(command mem completions bash --line "${COMP_LINE:0:COMP_POINT}" -- "$2" 2>/dev/null)
    # More follows a folder and a flag with its value.
    case ${COMPREPLY[0]-} in
        *[/=:]) compopt -o nospace 2>/dev/null ;;
    esac
}
complete -F _mem mem
