# Completes the command lines of mem in fish: mem itself says what fits, names of memories and settings among it.
function __mem_complete
    command mem completions fish -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token --cut-at-cursor) 2>/dev/null
end
complete --command mem --no-files --keep-order --arguments '(__mem_complete)'
