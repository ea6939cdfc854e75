# Completion of asperity for fish. Commands, options and laws are asked of the program itself.

function __asperity_subcommands
    $argv --help 2>/dev/null | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'
end

function __asperity_options
    set -l words (commandline -opc)
    set -l path $words[1..2]
    if test "$words[2]" = design; and test (count $words) -gt 2
        set path $words[1..3]
    end
    $path --help 2>/dev/null | sed -n 's/^ *\(-[a-z],\)\{0,1\}\(--[a-z-]*\).*  \([^ ].*\)/\2\t\3/p'
end

function __asperity_laws
    asperity laws --json 2>/dev/null | sed -n 's/^ *"name": "\([a-z_]*\)".*/\1/p'
end

function __asperity_at
    test (count (commandline -opc)) -eq $argv[1]
end

function __asperity_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

complete -c asperity -f -n '__asperity_at 1' -a '(__asperity_subcommands asperity)'
complete -c asperity -f -n '__asperity_at 2; and __asperity_command design' -a '(__asperity_subcommands asperity design)'
complete -c asperity -f -n 'not __asperity_at 1; and string match -q -- "-*" (commandline -ct)' -a '(__asperity_options)'
complete -c asperity -f -n '__asperity_command describe trace restitution' -a '(__asperity_laws)'
complete -c asperity -n '__asperity_command run check explain compare study' -k -xa '(__fish_complete_suffix .toml)'
complete -c asperity -n '__asperity_command plot identify' -k -xa '(__fish_complete_suffix .csv; __fish_complete_suffix .h5)'
