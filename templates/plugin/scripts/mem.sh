#!/bin/sh
# Runs mem for the plugin: `mem.sh EVENT` for a hook, `mem.sh mcp` for the server.
#
# A hook ends with 0 whatever happens: the host takes 2 for a refusal, and other numbers for a
# failure that it shows. Where there is no mem, the user sees one line about it, once a day.

event=$1

# Prints where mem is.
find_mem() {
    command -v mem 2>/dev/null && return 0
    for place in "$HOME/.cargo/bin/mem" "$HOME/.local/bin/mem"; do
        if [ -f "$place" ] && [ -x "$place" ]; then
            printf '%s\n' "$place"
            return 0
        fi
    done
    return 1
}

# Whether a settings file names a mem that is there: a hook whose program is gone does nothing.
names_a_program() {
    grep -oE '"command"[[:space:]]*:[[:space:]]*"[^"]*"' "$1" 2>/dev/null | (
        while IFS= read -r line; do
            program=${line%\"}
            program=${program##*\"}
            case $program in
                mem | mem.exe) command -v "$program" >/dev/null 2>&1 && exit 0 ;;
                */mem | *[/\\]mem.exe) [ -f "$program" ] && [ -x "$program" ] && exit 0 ;;
            esac
        done
        exit 1
    )
}

# Runs mem for the event. Settings that have the same hook, as `mem install claude-code` writes it, run it already, unless
# the host skips such a file: mem is told of each, and finds out.
run_hook() {
    mem=$1
    set -- hook claude "$event"
    for file in "${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json" \
        "$CLAUDE_PROJECT_DIR/.claude/settings.json" \
        "$CLAUDE_PROJECT_DIR/.claude/settings.local.json"; do
        is_hooked=yes
        for word in hook claude "$event"; do
            grep -q "\"$word\"" "$file" 2>/dev/null || is_hooked=no
        done
        if [ $is_hooked = yes ] && names_a_program "$file"; then
            set -- "$@" "--beside=$file"
        fi
    done
    "$mem" "$@"
}

# Tells the user, and not the model, that mem is missing.
tell_once_a_day() {
    # Other events have nobody to show it to.
    case $event in
        session-start | user-prompt-submit) ;;
        *) return ;;
    esac
    today=$(date +%Y-%m-%d)
    told=$CLAUDE_PLUGIN_DATA/told
    if [ "$(cat "$told" 2>/dev/null)" = "$today" ]; then
        return
    fi
    if ! { [ -n "$CLAUDE_PLUGIN_DATA" ] && mkdir -p "$CLAUDE_PLUGIN_DATA" &&
        printf '%s\n' "$today" >"$told"; } 2>/dev/null; then
        # What cannot be remembered is told at the start of a session only.
        [ "$event" = session-start ] || return
    fi
    printf '%s\n' '{"systemMessage":"mem: the program is not installed, so memory does nothing. In a checkout of its repository: cargo install --path crates/mem"}'
}

if [ "$event" = mcp ]; then
    mem=$(find_mem) || {
        echo 'mem is not installed: in a checkout of its repository, cargo install --path crates/mem' >&2
        exit 0
    }
    exec "$mem" mcp --plugin
fi

if mem=$(find_mem); then
    run_hook "$mem"
else
    cat >/dev/null 2>&1
    tell_once_a_day
fi
exit 0
