/// The completions after `tacet`, as a script for a shell.
enum ShellCompletion: String, CaseIterable {
    case bash, zsh, fish

    func script(_ manuals: [Manual]) -> String {
        switch self {
        case .bash: ShellCompletion.bash(manuals)
        case .zsh: ShellCompletion.zsh(manuals)
        case .fish: ShellCompletion.fish(manuals)
        }
    }

    private static let head = "# Completions for tacet. Made by `make manual`: do not edit.\n"

    // MARK: bash

    private static func bash(_ manuals: [Manual]) -> String {
        let cases = manuals.map { manual in
            """
                \(manual.names.joined(separator: "|")))
                  case $previous in
            \(manual.options.compactMap(bash).joined(separator: "\n"))
                  esac
                  case $word in
                    -*) COMPREPLY=($(compgen -W "\((manual.options + [Manual.help]).map(\.name).joined(separator: " "))" -- "$word")); return ;;
                  esac
                  \(bash(manual.operand?.completion ?? .nothing)) ;;
            """
        }
        return head + """
            _tacet() {
              local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
              COMPREPLY=()
              if [ "$COMP_CWORD" = 1 ]; then
                COMPREPLY=($(compgen -W "\(manuals.flatMap(\.names).joined(separator: " ")) --help --version" -- "$word"))
                return
              fi
              case ${COMP_WORDS[1]} in
            \(cases.joined(separator: "\n"))
              esac
            }
            complete -o filenames -F _tacet tacet

            """
    }

    private static func bash(_ option: Manual.Option) -> String? {
        option.value.map { "        \(option.name)) \(bash($0.completion)); return ;;" }
    }

    private static func bash(_ completion: Manual.Completion) -> String {
        switch completion {
        case .file: "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
        case .folder: "mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
        case .words(let words): "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\"))"
        case .nothing: ":"
        }
    }

    // MARK: zsh

    private static func zsh(_ manuals: [Manual]) -> String {
        let names = manuals.flatMap { manual in
            manual.names.map { "    \(quoted("\($0):\(manual.summary)"))" }
        }
        let cases = manuals.map { manual in
            let operand = manual.operand.map { operand in
                [quoted("\(operand.count == .one ? "1" : "*"):\(operand.noun):\(zsh(operand.completion))")]
            }
            let specifications = (manual.options + [Manual.help]).map(zsh) + (operand ?? [])
            return "    \(manual.names.joined(separator: "|"))) _arguments \(specifications.joined(separator: " ")) ;;"
        }
        return "#compdef tacet\n" + head + """
            _tacet() {
              local -a commands=(
            \(names.joined(separator: "\n"))
              )
              if (( CURRENT == 2 )); then
                _describe 'sub-command' commands
                return
              fi
              local name=$words[2]
              shift words
              (( CURRENT-- ))
              case $name in
            \(cases.joined(separator: "\n"))
              esac
            }
            _tacet "$@"

            """
    }

    private static func zsh(_ option: Manual.Option) -> String {
        let summary = option.summary.map { "[]:".contains($0) ? "\\\($0)" : String($0) }.joined()
        let value = option.value.map { "=:\($0.name):\(zsh($0.completion))" } ?? ""
        return quoted("\(option.name)\(value.prefix(1))[\(summary)]\(value.dropFirst())")
    }

    private static func zsh(_ completion: Manual.Completion) -> String {
        switch completion {
        case .file: "_files"
        case .folder: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .nothing: " "
        }
    }

    // MARK: fish

    private static func fish(_ manuals: [Manual]) -> String {
        var lines = ["complete -c tacet -f"]
        lines += manuals.flatMap { manual in
            manual.names.map { "complete -c tacet -n __fish_use_subcommand -a \($0) -d \(quoted(manual.summary))" }
        }
        for manual in manuals {
            let condition = "-n '__fish_seen_subcommand_from \(manual.names.joined(separator: " "))'"
            lines += (manual.options + [Manual.help]).map { option in
                "complete -c tacet \(condition) \(fish(option.name)) \(fish(option.value?.completion))"
                    + "-d \(quoted(option.summary))"
            }
            if let operand = manual.operand, operand.completion == .file {
                lines.append("complete -c tacet \(condition) -F")
            }
        }
        return head + lines.joined(separator: "\n") + "\n"
    }

    private static func fish(_ name: String) -> String {
        name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst(1))"
    }

    private static func fish(_ completion: Manual.Completion?) -> String {
        switch completion {
        case nil: ""
        case .file?: "-r -F "
        case .folder?: "-x -a '(__fish_complete_directories)' "
        case .words(let words)?: "-x -a '\(words.joined(separator: " "))' "
        case .nothing?: "-x "
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}
