import BrokerLab
import BusLab
import Foundation
import ServiceLab
import SoundLab
import Testing

/// tacet-mqtt between a real broker and a real tacetd.
@Suite(.serialized) struct BridgeTests {
    private static let evacuation = """
        [Signal evacuation]
        Source=bus
        Effect=pause
        LostGrace=0s
        WhenLost=release
        """

    private var soon: Int { Int(Date().timeIntervalSince1970) + 60 }

    @Test(.enabled(if: RealTimePriority.isAllowed))
    func boardAppearsWithItsStateAndDisappearsWithItsWill() throws {
        let broker = try Broker()
        let desk = try broker.subscribe(["tacet/#"])
        let board = try Board(broker)
        board.wait(desk, "tacet/b/availability online")
        board.wait(desk, "tacet/b/health []")
        board.wait(desk, "tacet/b/state {", #""intent":"stopped","session":"active""#)
        board.killBridge()
        board.wait(desk, "tacet/b/availability offline")
        try board.startBridge()
        board.wait("return") { desk.lines.filter { $0.hasSuffix("availability online") }.count == 2 }
        board.stopBridge()
        board.wait("goodbye") { desk.lines.filter { $0.hasSuffix("availability offline") }.count == 2 }
        #expect(desk.lines.filter { $0.contains("availability") }.count == 4, "\(desk.lines)")
    }

    @Test func announcementIsHeardOnceAndItsOutcomeReported() throws {
        let broker = try Broker()
        let desk = try broker.subscribe(["tacet/b/#"])
        let board = try Board(broker, settings: "Groups=line-3")
        board.wait("state") { board.isReady }
        let payload = #"{"id":"a1","sound":"gong","expires_at":\#(soon)}"#
        for topic in ["tacet/b/announce", "tacet/line-3/announce", "tacet/all/announce"] {
            try broker.publish(topic, payload)
        }
        board.wait(desk, "tacet/b/answer", #""id":"a1","board":"b","answer":"success""#)
        board.wait(desk, "tacet/b/answer", #""id":"a1","board":"b","outcome":"ended""#)
        // The announcement is not played again after a restart either, even if the broker delivers it again.
        board.killBridge()
        try board.startBridge()
        board.wait("return") { desk.lines.filter { $0.hasSuffix("availability online") }.count == 2 }
        try broker.publish("tacet/b/announce", payload)
        try broker.publish("tacet/b/command", #"{"id":"c","command":"hush"}"#)
        board.wait(desk, #""id":"c","board":"b""#)
        #expect(desk.lines.filter { $0.contains("soundBegan(gong)") && $0.contains("/event") }.count == 1)
    }

    @Test func expiredUnknownAndMalformedAnnouncementsSayWhy() throws {
        let broker = try Broker()
        let desk = try broker.subscribe(["tacet/b/answer"])
        let board = try Board(broker)
        board.wait("state") { board.isReady }
        try broker.publish("tacet/b/announce", #"{"id":"late","sound":"gong","expires_at":1000}"#)
        board.wait(desk, #""id":"late""#, #""answer":"expired""#)
        try broker.publish("tacet/b/announce", #"{"id":"x","sound":"no-such-sound"}"#)
        board.wait(desk, #""id":"x""#, #""answer":"noSuchContent""#)
        try broker.publish("tacet/b/announce", #"{"id":"x","#)
        board.wait(desk, #""answer":"refused","reason":"this is not valid JSON"#)
        try broker.publish("tacet/b/command", "fly")
        board.wait(desk, #""answer":"refused","reason":"‘fly’ is not a command: write play, pause"#)
    }

    /// The file lasts two seconds, whereas the sound of that name lasts one.
    @Test func carriedAudioIsHeardAndCanBeNamedLater() throws {
        let broker = try Broker()
        let desk = try broker.subscribe(["tacet/b/answer"])
        let board = try Board(broker)
        board.wait("state") { board.isReady }
        try TestMusic.writeNumbers(to: board.path("carried.wav"), frames: 48_000 * 2)
        let audio = try Data(contentsOf: URL(fileURLWithPath: board.path("carried.wav"))).base64EncodedString()
        func announce(_ id: String, _ rest: String) throws {
            try #"{"id":"\#(id)","sound":"gong",\#(rest)}"#.write(
                toFile: board.path("payload"), atomically: true, encoding: .utf8)
            try broker.publishFile("tacet/b/announce", board.path("payload"))
        }
        try announce("1", #""audio":"\#(audio)""#)
        board.wait(desk, #""id":"1""#, #""answer":"success""#)
        board.wait(desk, #""id":"1""#, #""outcome":"ended""#)
        let hash = try #require(try FileManager.default.contentsOfDirectory(atPath: board.path("audio")).first)
        try announce("2", #""audio_sha256":"\#(hash)""#)
        board.wait(desk, #""id":"2""#, #""answer":"success""#)
        board.wait(desk, #""id":"2""#, #""outcome":"ended""#)
        try announce("3", #""audio_sha256":"\#(String(repeating: "0", count: 64))""#)
        board.wait(desk, #""id":"3""#, #""answer":"audioMissing""#)
        try announce("4", #""audio":"\#(Data("no sound".utf8).base64EncodedString())""#)
        board.wait(desk, #""id":"4""#, #""answer":"noSuchContent""#)
        // The disk contains only files that Tacet has accepted.
        #expect(try FileManager.default.contentsOfDirectory(atPath: board.path("audio")) == [hash])
        #expect(try FileManager.default.contentsOfDirectory(atPath: board.path("run/audio")).isEmpty)
    }

    /// A cue has the priority of its signal: 50.
    @Test func announcementFromTheBrokerDoesNotSilenceACue() throws {
        let broker = try Broker()
        let desk = try broker.subscribe(["tacet/b/#"])
        let board = try Board(
            broker,
            signals: """
                [Signal alarm]
                Source=bus
                Effect=pause
                Cue=siren
                [Sound siren]
                File=gong.wav
                Repeat=yes
                [Sound loud]
                File=gong.wav
                Priority=100
                """)
        board.wait("state") { board.isReady }
        try broker.publish("tacet/b/signal/alarm", "on", retained: true)
        board.wait(desk, #""soundBegan(siren)""#)
        try broker.publish("tacet/b/announce", #"{"id":"1","sound":"gong","priority":100,"expires_at":\#(soon)}"#)
        board.wait(desk, #""id":"1""#, #""answer":"deferred","reason":"its priority of 100 was lowered to 40"#)
        try broker.publish("tacet/b/announce", #"{"id":"2","sound":"loud","expires_at":\#(soon)}"#)
        board.wait(desk, #""id":"2""#, #""answer":"deferred""#)
        try broker.publish("tacet/b/command", "announce loud")
        board.wait(desk, #""answer":"refused","reason":"announcements have their own topic"#)
        #expect(!desk.lines.contains { $0.contains("soundCut(siren)") }, "\(desk.lines)")
        try broker.publish("tacet/b/signal/alarm", "off", retained: true)
        for id in 1...2 { board.wait(desk, #""id":"\#(id)""#, #""outcome":"ended""#) }
    }

    /// The kernel reports the peak memory use of the process, in KiB.
    @Test func messageOfManyTinyValuesTakesLittleMemory() throws {
        let broker = try Broker()
        let desk = try broker.subscribe(["tacet/b/answer"])
        let board = try Board(broker)
        board.wait("state") { board.isReady }
        let payload = #"{"id":"a","sound":"gong","audio":["# + String(repeating: "{},", count: 1_040_000) + "{}]}"
        try payload.write(toFile: board.path("payload"), atomically: true, encoding: .utf8)
        try broker.publishFile("tacet/b/announce", board.path("payload"))
        board.wait(desk, #""answer":"refused","reason":"the payload has more than 1024 values"#)
        // The service may use 128 MiB.
        #expect(board.bridgeMemoryPeak < 100_000, "\(board.bridgeMemoryPeak) KiB")
    }

    @Test func cacheOfCarriedAudioIsBounded() throws {
        let broker = try Broker()
        let desk = try broker.subscribe(["tacet/b/answer"])
        let board = try Board(broker)
        func name(_ number: Int) -> String { String(repeating: "0", count: 60) + "\(number)" }
        func create(_ name: String) throws {
            try Data([1]).write(to: URL(fileURLWithPath: board.path("audio/\(name)")))
        }
        for number in 1000..<2200 { try create(name(number)) }
        // The first of these files is left over from a power cut, and the second belongs to another program.
        for file in ["\(name(1000)).new", "notes"] { try create(file) }
        // This is the least recently used file.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: board.path("audio/\(name(1500))"))
        board.wait("state") { board.isReady }
        let audio = try Data(contentsOf: URL(fileURLWithPath: board.path("gong.wav"))).base64EncodedString()
        try #"{"id":"1","sound":"gong","audio":"\#(audio)"}"#.write(
            toFile: board.path("payload"), atomically: true, encoding: .utf8)
        try broker.publishFile("tacet/b/announce", board.path("payload"))
        board.wait(desk, #""id":"1""#, #""answer":"success""#)
        let files = try FileManager.default.contentsOfDirectory(atPath: board.path("audio"))
        #expect(files.count == 1025 && files.contains("notes") && !files.contains { $0.hasSuffix(".new") })
        #expect(!files.contains(name(1500)))
    }

    @Test func twoBoardsWithOneNameBothReportIt() throws {
        let broker = try Broker()
        let first = try Board(broker)
        first.wait("state") { first.isReady }
        let second = try Board(broker)
        for board in [first, second] {
            board.wait("problem") { board.problems.contains("is another board called b as well (Name= in mqtt.conf)?") }
            board.wait("entry") { board.output.contains("is another board called b as well") }
        }
    }

    /// This test uses a real curl and a real HTTP server.
    @Test func vehiclesAudioIsDownloadedAndHeardInItsOrderAndItsSensorsAreReported() throws {
        let broker = try Broker()
        let server = try FileServer()
        let sensors = try broker.subscribe(["sensors/#"])
        let events = try broker.subscribe(["tacet/b/event"])
        let board = try Board(
            broker,
            signals: """
                [Signal stop]
                Source=bus
                Effect=ignore
                [Signal door]
                Source=bus
                Effect=ignore
                """,
            settings: """
                [Ruter]
                AudioTopic=pe/audio
                Sound=gong
                AudioServer=http://127.0.0.1:\(server.port)/resources/
                StopTopic=sensors/stop_button
                StopSignal=stop
                DoorTopic=sensors/door
                DoorSignal=door
                """)
        board.wait("state") { board.isReady }
        board.wait(sensors, "sensors/door", #""doorOpen":false"#)
        try broker.publish("tacet/b/signal/door", "on", retained: true)
        board.wait(sensors, "sensors/door", #""doorOpen":true"#)
        try broker.publish("tacet/b/signal/stop", "on")
        board.wait(sensors, "sensors/stop_button", #""stopPressed":true"#)

        try TestMusic.writeNumbers(to: board.path("long.wav"), frames: 48_000 * 2)
        try TestMusic.writeNumbers(to: board.path("short.wav"), frames: 4800)
        server.files["/resources/long.wav"] = try Data(contentsOf: URL(fileURLWithPath: board.path("long.wav")))
        server.files["/resources/large.wav"] = Data(count: (2 << 20) + 1)
        let short = try Data(contentsOf: URL(fileURLWithPath: board.path("short.wav"))).base64EncodedString()
        let root = "http://127.0.0.1:\(server.port)/resources/"
        let speakers = #""speakers":{"INTERNAL":50}"#
        let parts =
            ["\(root)long.wav", "\(root)absent.wav", "\(root)large.wav", "http://127.0.0.1:1/resources/x.wav"]
            .map { #"{"contentURL":"\#($0)",\#(speakers)}"# } + [#"{"content":"\#(short)",\#(speakers)}"#]
        try #"{"traceId":"1","audio":[\#(parts.joined(separator: ","))]}"#.write(
            toFile: board.path("payload"), atomically: true, encoding: .utf8)
        try broker.publishFile("pe/audio", board.path("payload"))
        try broker.publishFile("pe/audio", board.path("payload"))
        board.wait(events, #""soundBegan(gong)""#)
        board.wait("end of both") { events.lines.count { $0.contains(#""soundEnded(gong)""#) } == 2 }
        #expect(events.lines.count { $0.contains(#""soundBegan(gong)""#) } == 2)
        #expect(server.requests.count { $0 == "/resources/long.wav" } == 1)
        board.wait("entry") { board.output.contains("\(root)absent.wav: the server does not have it") }
        board.wait("entry") { board.output.contains("\(root)large.wav: it has more than 2097152 bytes") }
        board.wait("entry") { board.output.contains("AudioServer= does not allow http://127.0.0.1:1/resources/x.wav") }
    }

    @Test func retainedSignalReachesABoardThatStartsLaterAndIsLostWithTheBroker() throws {
        let broker = try Broker()
        try broker.publish("tacet/all/signal/evacuation", "on", retained: true)
        let desk = try broker.subscribe(["tacet/b/state"])
        let board = try Board(broker, signals: Self.evacuation)
        board.wait(desk, #""session":"interrupted""#, #""active":["evacuation"]"#)
        broker.stop()
        // The lease expires, and WhenLost=release releases the signal.
        board.wait("loss") {
            (try? board.bus.property("org.tacet.Session1", "Interrupted")) == "v b false\n"
        }
        #expect(board.problems.contains("the broker 127.0.0.1:\(broker.port): "))
        // Nobody has ended the evacuation.
        let loss = "evacuation (the bus) is lost and counts as released"
        board.wait("entry") { board.output.contains("The interruption is over because \(loss). ") }
        #expect(try board.bus.property("org.tacet.Session1", "Health").contains("evacuation is lost"))
        #expect(try board.bus.property("org.tacet.Session1", "Why").contains(loss.dropFirst()))
        try broker.start()
        board.wait("return") { (try? board.bus.property("org.tacet.Session1", "Interrupted")) == "v b true\n" }
        try broker.publish("tacet/all/signal/evacuation", "off", retained: true)
        board.wait("end") { (try? board.bus.property("org.tacet.Session1", "Interrupted")) == "v b false\n" }
    }

    @Test(.enabled(if: RealTimePriority.isAllowed))
    func restartOfTacetIsReportedAndRecovered() throws {
        let broker = try Broker()
        let desk = try broker.subscribe(["tacet/b/#"])
        let board = try Board(broker, signals: Self.evacuation)
        board.wait(desk, "tacet/b/health []")
        try broker.publish("tacet/b/signal/evacuation", "on")
        board.wait(desk, #""active":["evacuation"]"#)
        board.stopDaemon()
        board.wait(desk, #""event":"gone""#)
        board.wait(desk, #"tacet/b/health ["tacetd is not running"]"#)
        try broker.publish("tacet/b/announce", #"{"id":"held","sound":"gong","expires_at":\#(soon)}"#)
        try board.startDaemon()
        board.wait(desk, #""id":"held""#, #""answer":"#)
        board.wait("signal") {
            desk.lines.last { $0.contains("b/state") }?.contains(#""active":["evacuation"]"#) ?? false
        }
    }

    @Test func answerGoesToTheResponseTopicOfMQTT5() throws {
        let broker = try Broker()
        let desk = try broker.subscribe(["desk"], options: ["-V", "5"])
        let board = try Board(broker)
        board.wait("state") { board.isReady }
        try broker.publish(
            "tacet/b/command", "volume -6dB",
            options: ["-V", "5", "-D", "publish", "response-topic", "desk", "-D", "publish", "correlation-data", "7"])
        board.wait(desk, #"{"id":null,"board":"b","answer":"success"}"#)
    }

    @Test func remoteCommandDoesNotExceedTheMaximumVolume() throws {
        let broker = try Broker()
        let desk = try broker.subscribe(["tacet/b/#"])
        let board = try Board(broker, signals: "[Playback]\nVolume=-20dB\nMaximumVolume=-6dB\n")
        board.wait(desk, #""volume_db":-20"#)
        try broker.publish("tacet/b/command", #"{"id":"1","command":"volume 100%"}"#)
        board.wait(desk, #"{"id":"1","board":"b","answer":"success"}"#)
        board.wait(desk, #""volume_db":-6"#)
    }

    @Test func wrongPasswordIsAProblemThatNamesIt() throws {
        let broker = try Broker("allow_anonymous false\npassword_file FOLDER/passwords", files: ["passwords": ""])
        let board = try Board(broker)
        board.wait("problem") { board.problems.contains("the broker refuses this client: Not authorized") }
    }

    @Test func configurationMistakesNameFileAndLine() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("mqtt-\(UUID().uuidString).conf")
        defer { try? FileManager.default.removeItem(at: file) }
        try """
        [Broker]
        Hots=x
        Port=99999
        [Board]
        Name=a/b
        Certificate=c
        Groups=a,b
        [Broker]
        Host=mqtt://x
        KeepAlive=2
        Host=mqtt://y
        [Brocker]
        """.write(to: file, atomically: true, encoding: .utf8)
        let (code, text) = try check(file.path)
        #expect(code == 78)
        for expected in [
            "\(file.path):2: error: unknown key ‘Hots’ in [Broker] (did you mean ‘Host’?)",
            "\(file.path):3: error: Port=99999 is out of range",
            "\(file.path):5: error: Name=a/b cannot be a part of a topic",
            "\(file.path):6: error: Certificate= does not belong in [Board] (it belongs in [Broker])",
            "\(file.path):7: error: Groups=a,b has a comma (separate the names by blanks)",
            "\(file.path):11: error: Host=mqtt://y is not a name or an address",
            "\(file.path):10: error: KeepAlive=2 is out of range (write a time from 5s to 1h)",
            "\(file.path):11: warning: Host= in [Broker] was already set on line 9",
            "\(file.path):12: error: [Brocker] is an unknown section (did you mean ‘Broker’?)",
        ] {
            #expect(text.contains(expected), "\(text)")
        }
    }

    @Test func aCheckNamesFilesThatCannotBeRead() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mqtt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("mqtt.conf")
        let password = folder.appendingPathComponent("password")
        try """
        [Broker]
        Host=x
        User=u
        Password=\(password.path)
        TLS=yes
        CertificateAuthority=ca.crt
        """.write(to: file, atomically: true, encoding: .utf8)
        let missing = try check(file.path)
        #expect(missing.code == 78)
        for expected in [
            "tacet-mqtt: CertificateAuthority=: cannot read \(folder.path)/ca.crt: No such file or directory\n",
            "tacet-mqtt: Password=: cannot read \(password.path): No such file or directory\n",
        ] {
            #expect(missing.text.contains(expected), "\(missing.text)")
        }
        try "secret\n".write(to: password, atomically: true, encoding: .utf8)
        let certificates = try Certificates()
        let authority = folder.appendingPathComponent("ca.crt")
        try FileManager.default.copyItem(atPath: certificates.path("ca.pem"), toPath: authority.path)
        let found = try check(file.path)
        #expect(found.code == 0 && found.text.isEmpty, "\(found.text)")

        try """
        [Broker]
        Certificate=\(certificates.path("expired.pem"))
        PrivateKey=\(certificates.path("expired.key"))
        """.write(
            to: URL(fileURLWithPath: file.path + ".d/client.conf").creatingFolder(), atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(at: authority)
        try FileManager.default.copyItem(atPath: certificates.path("expired.pem"), toPath: authority.path)
        let expired = try check(file.path)
        #expect(expired.code == 78)
        for expected in [
            "tacet-mqtt: CertificateAuthority=\(authority.path): the certificate of /CN=expired expired on ",
            "tacet-mqtt: Certificate=\(certificates.path("expired.pem")): the certificate of /CN=expired expired on ",
        ] {
            #expect(expired.text.contains(expected), "\(expired.text)")
        }
    }

    @Test func aCheckWarnsOfAPasswordWithoutTLS() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("mqtt-\(UUID().uuidString).conf")
        defer { try? FileManager.default.removeItem(at: file) }
        func text(_ rest: String) throws -> (code: Int32, text: String) {
            try "[Broker]\nHost=broker.example\n\(rest)".write(to: file, atomically: true, encoding: .utf8)
            return try check(file.path)
        }
        let open = try text("User=kiosk\n")
        #expect(open.code == 0)
        #expect(
            open.text.hasPrefix("\(file.path):3: warning: the password of the user kiosk is sent unencrypted"),
            "\(open.text)")
        #expect(try !text("User=kiosk\nTLS=yes\n").text.contains("unencrypted"))
        #expect(try !text("User=kiosk\nHost=localhost\n").text.contains("unencrypted"))
    }

    @Test func aCheckWarnsIfTheMaximumPriorityReachesACueOrLimitsASound() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mqtt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("mqtt.conf")
        try """
        [Signal alarm]
        Source=bus
        Priority=60
        Cue=siren
        [Sound siren]
        File=siren.wav
        Priority=90
        [Sound news]
        File=news.wav
        Priority=45
        """.write(to: folder.appendingPathComponent("tacet.conf"), atomically: true, encoding: .utf8)
        func text(_ priority: Int) throws -> (code: Int32, text: String) {
            try "[Broker]\nHost=x\n[Fleet]\nMaximumPriority=\(priority)\n".write(
                to: file, atomically: true, encoding: .utf8)
            return try check(file.path)
        }
        let high = try text(60)
        #expect(high.code == 0)
        #expect(
            high.text.hasPrefix(
                "tacet-mqtt: warning: MaximumPriority=60 reaches Priority=60 of [Signal alarm] in \(folder.path)/tacet.conf"
            ),
            "\(high.text)")
        #expect(try text(59).text.isEmpty)
        let low = try text(44).text
        #expect(
            low.hasPrefix("tacet-mqtt: warning: [Sound news] has Priority=45 in \(folder.path)/tacet.conf"), "\(low)")
        #expect(low.split(separator: "\n").count == 1)
    }

    /// Runs `tacet-mqtt --check`, and returns its exit code and messages.
    private func check(_ path: String) throws -> (code: Int32, text: String) {
        let pipe = Pipe()
        let process = try Subprocess(
            [try BuiltProgram.path("tacet-mqtt"), "--check", "--config", path],
            errors: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return (process.wait() >> 8, text)
    }
}

extension URL {
    /// The same URL, after its folder has been created.
    fileprivate func creatingFolder() throws -> URL {
        try FileManager.default.createDirectory(
            at: deletingLastPathComponent(), withIntermediateDirectories: true)
        return self
    }
}
