# Completion of asperity for bash. Options and laws are asked of the program itself.

# The long options of a command, from its help; of a subcommand, too.
_asperity_options() {
  "$@" --help 2>/dev/null | sed -n 's/^ *\(-[a-z],\)\{0,1\}\(--[a-z-]*\).*/\2/p'
}

_asperity_laws() {
  "$1" laws --json 2>/dev/null | sed -n 's/^ *"name": "\([a-z_]*\)".*/\1/p'
}

# Files of one ending, and folders on the way to them.
_asperity_files() {
  local ending=$1 word=$2
  compgen -d -S / -- "$word"
  compgen -f -X "!*.$ending" -- "$word"
}

_asperity() {
  local program=$1 word=$2 before=$3
  local command=${COMP_WORDS[1]} commands="run check explain plot report new compare laws describe trace demo design identify reproduce restitution study"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
    return
  fi
  case $before in
    --format) mapfile -t COMPREPLY < <(compgen -W "csv hdf5" -- "$word") ; return ;;
    --method) mapfile -t COMPREPLY < <(compgen -W "step rk4 euler" -- "$word") ; return ;;
    --resume) mapfile -t COMPREPLY < <(compgen -d -- "$word") ; return ;;
    --laws)
      # a list: what stands before the last comma stays
      local kept=""
      case $word in *,*) kept=${word%,*}, ;; esac
      mapfile -t COMPREPLY < <(compgen -P "$kept" -W "$(_asperity_laws "$program")" -- "${word##*,}")
      return
      ;;
    -o | --output | --plot | --input) mapfile -t COMPREPLY < <(compgen -f -- "$word") ; return ;;
    --set | --x | --y | --element | --elements | --velocity | --position | --waypoints | --speed | --from | --load | --gap | --duration | --step) return ;;
  esac
  local sub=()
  if [ "$command" = design ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then
      mapfile -t COMPREPLY < <(compgen -W "contact friction scene charts --help" -- "$word")
      return
    fi
    sub=("${COMP_WORDS[2]}")
  fi
  case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$(_asperity_options "$program" "$command" "${sub[@]}")" -- "$word") ; return ;;
  esac
  case $command in
    run | check | explain | design | study) mapfile -t COMPREPLY < <(_asperity_files toml "$word") ;;
    compare) mapfile -t COMPREPLY < <(_asperity_files toml "$word") ;;
    plot | identify) mapfile -t COMPREPLY < <(_asperity_files csv "$word"; compgen -f -X '!*.h5' -- "$word") ;;
    report) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    reproduce) mapfile -t COMPREPLY < <(compgen -W "$("$program" reproduce --list 2>/dev/null | sed 's/^ *\([^ ]*\).*/\1/')" -- "$word") ;;
    describe | trace | restitution) mapfile -t COMPREPLY < <(compgen -W "$(_asperity_laws "$program")" -- "$word") ;;
  esac
}

complete -o filenames -F _asperity asperity
