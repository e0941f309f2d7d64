import AudioSession
import Testing

@testable import Players

/// The machine of a program that plays, in every state and for every input.
@Suite struct PlayerMachineTests {
    private static let now = Duration.seconds(100)
    private static let playing = Sighting(.playing, track: "a")
    private static let paused = Sighting(.paused, track: "a")

    /// Brings a machine into a state.
    private static func machine(_ inputs: [PlayerMachine.Input], from sighting: Sighting = playing) -> PlayerMachine {
        var machine = PlayerMachine(sighting)
        for input in inputs { _ = machine.handle(input, at: machine.deadline ?? now - .seconds(10)) }
        return machine
    }

    /// A machine that is kept, and has just been ordered to play the next track.
    private static var excused: PlayerMachine {
        var kept = machine(paused1)
        _ = kept.handle(.order(.next), at: now - .seconds(1))
        return kept
    }

    /// Returns an attempt up to the last question, after which the program has not followed the order.
    private static func attempt(_ number: Int, _ found: Sighting) -> [PlayerMachine.Input] {
        let first = 3 * number - 2
        return [.answered(first), .looked(first + 1, found), .time, .looked(first + 2, found)]
    }

    private static let paused1: [PlayerMachine.Input] = [.order(.pause), .answered(1), .looked(2, paused)]
    private static let resumed: [PlayerMachine.Input] = paused1 + [.order(.play)]

    private static let states: [(name: String, machine: PlayerMachine)] = [
        ("free, playing", machine([])),
        ("free, paused", machine([], from: paused)),
        ("pausing", machine([.order(.pause)])),
        ("pausing, asked", machine([.order(.pause), .answered(1)])),
        ("pausing, waiting", machine([.order(.pause), .answered(1), .looked(2, playing)])),
        ("pausing, asked again", machine([.order(.pause)] + attempt(1, playing).dropLast())),
        (
            "pausing, asked the last time",
            machine([.order(.pause)] + attempt(1, playing) + attempt(2, playing) + attempt(3, playing).dropLast())
        ),
        ("kept", machine(paused1)),
        ("kept, excused", excused),
        ("resuming", machine(resumed)),
        ("resuming, asked", machine(resumed + [.answered(3)])),
        ("resuming, waiting", machine(resumed + [.answered(3), .looked(4, paused)])),
        ("resuming, asked again", machine(resumed + [.answered(3), .looked(4, paused), .time])),
        ("uncontrollable", machine([.order(.pause)] + (1...3).flatMap { attempt($0, playing) })),
    ]

    private static let inputs: [(name: String, input: PlayerMachine.Input)] = [
        ("seen playing a", .seen(playing)), ("seen playing b", .seen(Sighting(.playing, track: "b"))),
        ("seen paused a", .seen(paused)), ("seen paused b", .seen(Sighting(.paused, track: "b"))),
        ("seen stopped a", .seen(Sighting(.stopped, track: "a"))),
        ("answered", .answered(-1)), ("looked playing a", .looked(-1, playing)),
        ("looked paused a", .looked(-1, paused)), ("looked nothing", .looked(-1, nil)),
        ("outdated", .looked(-2, paused)),
        ("order pause", .order(.pause)), ("order play", .order(.play)), ("order next", .order(.next)),
        ("order previous", .order(.previous)), ("order seek", .order(.seek(.seconds(1)))), ("release", .release),
        ("time", .time),
    ]

    private static func words(_ state: PlayerMachine.State) -> String {
        func attempt(_ attempt: PlayerMachine.Attempt) -> String {
            "\(attempt.number) \(attempt.stage)"
        }
        func words(_ sighting: Sighting) -> String { "\(sighting.status) \(sighting.track)" }
        return switch state {
        case .free(let sighting): "free (\(words(sighting)))"
        case .pausing(let sighting, let number): "pausing \(attempt(number)) (\(words(sighting)))"
        case .kept(let sighting, let excuse): "kept\(excuse == nil ? "" : ", excused") (\(words(sighting)))"
        case .resuming(let sighting, let number): "resuming \(attempt(number)) (\(words(sighting)))"
        case .uncontrollable(let sighting): "uncontrollable (\(words(sighting)))"
        }
    }

    private static func words(_ effect: PlayerMachine.Effect) -> String {
        switch effect {
        case .send(let command, _): "send \(command)"
        case .look: "look"
        case .touched(let wasKept): wasKept ? "touched while kept" : "touched"
        case .paused: "paused"
        case .resumed: "resumed"
        case .disobeyed(let command): "disobeyed \(command)"
        }
    }

    /// The table of all states and inputs. An input that is not listed changes nothing.
    private static var table: String {
        states.map { name, machine in
            let rows = inputs.compactMap { input -> String? in
                var next = machine
                // Answers are to the last question, unless they are outdated.
                let given: PlayerMachine.Input =
                    switch input.input {
                    case .answered: .answered(machine.number)
                    case .looked(-1, let sighting): .looked(machine.number, sighting)
                    default: input.input
                    }
                // Time always passes until the deadline.
                let time = input.input == .time ? max(now, machine.deadline ?? now) : now
                let effects = next.handle(given, at: time).map(words)
                guard next != machine || !effects.isEmpty else { return nil }
                let state = next == machine ? "same" : words(next.state)
                return "  \(input.name): \(([state] + effects).joined(separator: "; "))\n"
            }
            return "\(name)\n" + rows.joined()
        }.joined()
    }

    @Test func everyStateHandlesEveryInputAsTheTableSays() {
        #expect(Self.table == Self.expected, "\(Self.table)")
    }

    private static let expected = """
        free, playing
          seen playing b: free (playing b)
          seen paused a: free (paused a); touched
          seen paused b: free (paused b); touched
          seen stopped a: free (stopped a); touched
          order pause: pausing 1 sent (playing a); send pause
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s
        free, paused
          seen playing a: free (playing a); touched
          seen playing b: free (playing b); touched
          seen paused b: free (paused b)
          seen stopped a: free (stopped a); touched
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s
        pausing
          seen playing b: pausing 1 sent (playing b)
          seen paused a: pausing 1 sent (paused a)
          seen paused b: pausing 1 sent (paused b)
          seen stopped a: pausing 1 sent (stopped a)
          answered: pausing 1 asked (playing a); look
          order play: resuming 1 sent (playing a); send play
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s
          release: free (playing a)
          time: pausing 1 unanswered (playing a); look
        pausing, asked
          seen playing b: pausing 1 asked (playing b)
          seen paused a: kept (paused a); paused
          seen paused b: kept (paused b); paused
          seen stopped a: kept (stopped a); paused
          looked playing a: pausing 1 waiting (playing a)
          looked paused a: kept (paused a); paused
          looked nothing: pausing 1 waiting (playing a)
          order play: resuming 1 sent (playing a); send play
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s
          release: free (playing a)
          time: pausing 1 waiting (playing a)
        pausing, waiting
          seen playing b: pausing 1 waiting (playing b)
          seen paused a: kept (paused a); paused
          seen paused b: kept (paused b); paused
          seen stopped a: kept (stopped a); paused
          looked playing a: pausing 1 waiting (playing a)
          looked paused a: kept (paused a); paused
          looked nothing: pausing 1 waiting (playing a)
          order play: resuming 1 sent (playing a); send play
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s
          release: free (playing a)
          time: pausing 1 askedAgain (playing a); look
        pausing, asked again
          seen playing b: pausing 1 askedAgain (playing b)
          seen paused a: kept (paused a); paused
          seen paused b: kept (paused b); paused
          seen stopped a: kept (stopped a); paused
          looked playing a: pausing 2 sent (playing a); send pause
          looked paused a: kept (paused a); paused
          looked nothing: pausing 2 askedAgain (playing a); look
          order play: resuming 1 sent (playing a); send play
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s
          release: free (playing a)
          time: pausing 2 askedAgain (playing a); look
        pausing, asked the last time
          seen playing b: pausing 3 askedAgain (playing b)
          seen paused a: kept (paused a); paused
          seen paused b: kept (paused b); paused
          seen stopped a: kept (stopped a); paused
          looked playing a: uncontrollable (playing a); disobeyed pause
          looked paused a: kept (paused a); paused
          looked nothing: uncontrollable (playing a); disobeyed pause
          order play: resuming 1 sent (playing a); send play
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s
          release: free (playing a)
          time: uncontrollable (playing a); disobeyed pause
        kept
          seen playing a: free (playing a); touched while kept
          seen playing b: free (playing b); touched while kept
          seen paused b: free (paused b); touched while kept
          seen stopped a: free (stopped a); touched while kept
          looked playing a: free (playing a); touched while kept
          order play: resuming 1 sent (paused a); send play
          order next: kept, excused (paused a); send next
          order previous: kept, excused (paused a); send previous
          order seek: kept, excused (paused a); send seek 1.0s
          release: free (paused a)
        kept, excused
          seen playing a: pausing 1 sent (playing a); send pause
          seen playing b: pausing 1 sent (playing b); send pause
          seen paused b: kept, excused (paused b)
          seen stopped a: kept, excused (stopped a)
          looked playing a: pausing 1 sent (playing a); send pause
          order play: resuming 1 sent (paused a); send play
          order next: kept, excused (paused a); send next
          order previous: kept, excused (paused a); send previous
          order seek: kept, excused (paused a); send seek 1.0s
          release: free (paused a)
          time: kept (paused a)
        resuming
          seen playing a: resuming 1 sent (playing a)
          seen playing b: resuming 1 sent (playing b)
          seen paused b: resuming 1 sent (paused b)
          seen stopped a: resuming 1 sent (stopped a)
          answered: resuming 1 asked (paused a); look
          order pause: pausing 1 sent (paused a); send pause
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s
          release: free (paused a)
          time: resuming 1 unanswered (paused a); look
        resuming, asked
          seen playing a: free (playing a); resumed
          seen playing b: free (playing b); resumed
          seen paused b: resuming 1 asked (paused b)
          seen stopped a: resuming 1 asked (stopped a)
          looked playing a: free (playing a); resumed
          looked paused a: resuming 1 waiting (paused a)
          looked nothing: resuming 1 waiting (paused a)
          order pause: pausing 1 sent (paused a); send pause
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s
          release: free (paused a)
          time: resuming 1 waiting (paused a)
        resuming, waiting
          seen playing a: free (playing a); resumed
          seen playing b: free (playing b); resumed
          seen paused b: resuming 1 waiting (paused b)
          seen stopped a: resuming 1 waiting (stopped a)
          looked playing a: free (playing a); resumed
          looked paused a: resuming 1 waiting (paused a)
          looked nothing: resuming 1 waiting (paused a)
          order pause: pausing 1 sent (paused a); send pause
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s
          release: free (paused a)
          time: resuming 1 askedAgain (paused a); look
        resuming, asked again
          seen playing a: free (playing a); resumed
          seen playing b: free (playing b); resumed
          seen paused b: resuming 1 askedAgain (paused b)
          seen stopped a: resuming 1 askedAgain (stopped a)
          looked playing a: free (playing a); resumed
          looked paused a: resuming 2 sent (paused a); send play
          looked nothing: resuming 2 askedAgain (paused a); look
          order pause: pausing 1 sent (paused a); send pause
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s
          release: free (paused a)
          time: resuming 2 askedAgain (paused a); look
        uncontrollable
          seen playing b: uncontrollable (playing b)
          seen paused a: free (paused a); touched
          seen paused b: free (paused b); touched
          seen stopped a: free (stopped a); touched
          looked paused a: free (paused a); touched
          order next: same; send next
          order previous: same; send previous
          order seek: same; send seek 1.0s

        """
}
