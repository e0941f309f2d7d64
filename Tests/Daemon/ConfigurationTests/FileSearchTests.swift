import Configuration
import Foundation
import Testing

@Suite("Files and drop-ins are found as systemd does it")
struct FileSearchTests {
    let folder: TemporaryFolder
    var roots: [String] { ["etc", "run", "usr"].map { "\(folder.path)/\($0)" } }

    init() throws { folder = try TemporaryFolder() }

    private func fadeIn(_ milliseconds: Int) -> String { "[Playback]\nFadeIn=\(milliseconds)ms" }

    private func load() throws -> (configuration: Configuration, files: [String]) {
        let loaded = try Configuration.load(.folders(roots))
        return (loaded.configuration, loaded.files.map { String($0.dropFirst(folder.path.count + 1)) })
    }

    @Test("Only the first main file is read")
    func main() throws {
        try folder.write("usr/tacet/tacet.conf", fadeIn(1) + "\nShuffle=yes")
        #expect(try load().configuration.playback.shuffle)
        try folder.write("etc/tacet/tacet.conf", fadeIn(2))
        let loaded = try load()
        #expect(loaded.files == ["etc/tacet/tacet.conf"])
        #expect(loaded.configuration.playback.fadeIn == .milliseconds(2))
        #expect(!loaded.configuration.playback.shuffle)
    }

    @Test("Drop-ins from all folders are sorted by name and override key by key")
    func dropIns() throws {
        try folder.write("usr/tacet/tacet.conf", fadeIn(1) + "\nFadeOut=1ms\nShuffle=yes")
        try folder.write("etc/tacet/tacet.conf.d/10-a.conf", fadeIn(2) + "\nFadeOut=2ms")
        try folder.write("usr/tacet/tacet.conf.d/20-b.conf", fadeIn(3))
        try folder.write("run/tacet/tacet.conf.d/Z.conf", "")
        try folder.write("etc/tacet/tacet.conf.d/.hidden.conf", "nonsense")
        try folder.write("etc/tacet/tacet.conf.d/README", "nonsense")
        let loaded = try load()
        #expect(
            loaded.files == [
                "usr/tacet/tacet.conf", "etc/tacet/tacet.conf.d/10-a.conf", "usr/tacet/tacet.conf.d/20-b.conf",
                "run/tacet/tacet.conf.d/Z.conf",
            ])
        #expect(loaded.configuration.playback.fadeIn == .milliseconds(3))
        #expect(loaded.configuration.playback.fadeOut == .milliseconds(2))
        #expect(loaded.configuration.playback.shuffle)
    }

    @Test("A drop-in masks those of the same name in lower folders, even if it is empty or links to /dev/null")
    func masks() throws {
        for name in ["a", "b", "c"] {
            try folder.write("usr/tacet/tacet.conf.d/\(name).conf", "nonsense")
        }
        try folder.write("etc/tacet/tacet.conf.d/a.conf", fadeIn(1))
        try folder.write("run/tacet/tacet.conf.d/b.conf", "")
        try folder.link("run/tacet/tacet.conf.d/c.conf", to: "/dev/null")
        #expect(try load().configuration.playback.fadeIn == .milliseconds(1))
    }

    @Test("A drop-in whose name is not UTF-8 is refused for that reason")
    func encodings() throws {
        try folder.write("etc/tacet/tacet.conf.d/a.conf", "")
        let path = Array("\(folder.path)/etc/tacet/tacet.conf.d/t".utf8) + [0xe4] + Array("st.conf".utf8)
        let descriptor = (path + [0]).withUnsafeBytes { bytes in
            bytes.baseAddress.map { open($0.assumingMemoryBound(to: CChar.self), O_WRONLY | O_CREAT, 0o644) } ?? -1
        }
        #expect(close(descriptor) == 0)
        let words = diagnostics(of: .folders(roots)).map(\.description)
        #expect(words.count == 1 && words[0].contains("error: this file's name is not UTF-8 (rename it"), "\(words)")
        // That character itself is valid.
        try folder.write("usr/tacet/tacet.conf.d/\u{fffd}.conf", fadeIn(7))
        #expect(diagnostics(of: .folders(Array(roots[1...]))).isEmpty)
    }

    @Test("An empty value restores the built-in default and removes its warnings")
    func reset() throws {
        try folder.write(
            "usr/tacet/tacet.conf",
            fadeIn(1) + "\nLibrary=/nowhere\n[Signal alarm]\nLine=A\nEffect=pause\n[Signal x]\nEffect=duck")
        try folder.write(
            "etc/tacet/tacet.conf.d/a.conf",
            "[Playback]\nFadeIn=\nLibrary=\n[Signal alarm]\nLine=\nChip=c\nOffset=1\nEffect=\n[Signal x]\nLine=B\nEffect="
        )
        let found = diagnostics(of: .folders(roots))
        #expect(found.map(\.message) == ["[Signal x] does not specify its effect"])
        #expect(found.map(\.line) == [7])
        try folder.write("etc/tacet/tacet.conf.d/b.conf", "[Signal x]\nEffect=ignore")
        let configuration = try load().configuration
        #expect(configuration.playback == PlaybackSettings())
        #expect(configuration.session.signals[1] == Configuration.builtIn.session.signals[1])
        #expect(configuration.sources["alarm"] == .line(Wiring(line: .offset(1, chip: "c"))))
    }

    @Test("An overridden bad value is still an error, and one key in two files is not a duplicate")
    func overridden() throws {
        try folder.write("usr/tacet/tacet.conf", "[Playback]\nFadeIn=x")
        try folder.write("etc/tacet/tacet.conf.d/a.conf", fadeIn(1))
        let found = diagnostics(of: .folders(roots))
        #expect(found.map { "\($0.file):\($0.line)" } == ["\(roots[2])/tacet/tacet.conf:2"])
    }

    @Test("If there is no file, the error lists the searched paths")
    func nothing() throws {
        let found = diagnostics(of: .folders(roots))
        #expect(found.map(\.severity) == [.error])
        for root in roots { #expect(found.first?.message.contains("\(root)/tacet/tacet.conf") == true) }
        try folder.write("etc/tacet/tacet.conf.d/a.conf", fadeIn(1))
        #expect(try load().files == ["etc/tacet/tacet.conf.d/a.conf"])
    }

    @Test("A specified file is read with its drop-ins")
    func explicit() throws {
        let file = try folder.write("my.conf", fadeIn(1))
        try folder.write("my.conf.d/a.conf", "[Playback]\nFadeOut=1ms")
        let loaded = try Configuration.load(.file(file))
        #expect(loaded.files == [file, "\(file).d/a.conf"])
        #expect(loaded.configuration.playback.fadeIn == .milliseconds(1))
        #expect(loaded.configuration.playback.fadeOut == .milliseconds(1))
    }

    @Test("An unreadable file is an error with the system's message; the other files are still checked")
    func unreadable() throws {
        let missing = "\(folder.path)/missing.conf"
        #expect(
            diagnostics(of: .file(missing)).map(\.description) == [
                "\(missing): error: cannot open this file: No such file or directory (check the path)"
            ])
        #expect(
            diagnostics(of: .file(folder.path)).map(\.description) == [
                "\(folder.path): error: cannot read this file: Is a directory (specify a file, not a folder)"
            ])
        try folder.link("etc/tacet/tacet.conf", to: "nowhere")
        try folder.write("usr/tacet/tacet.conf", fadeIn(1))
        try folder.write("usr/tacet/tacet.conf.d/a.conf", "[Playback]\nFadeIn=x")
        #expect(
            diagnostics(of: .folders(roots)).map(\.description) == [
                "\(roots[0])/tacet/tacet.conf: error: cannot open this file: No such file or directory (it is a dangling symbolic link)",
                "\(roots[2])/tacet/tacet.conf.d/a.conf:2: error: FadeIn=x is not a time (write a time from 0s to 10s, such as 30ms, 5s or 2min)",
            ])
    }

    @Test("A drop-in folder that is a file, and an oversized file, are errors")
    func odd() throws {
        let file = try folder.write("my.conf", fadeIn(1))
        try folder.write("my.conf.d", "")
        #expect(
            diagnostics(of: .file(file)).map(\.description) == [
                "\(file).d: error: cannot list this folder: Not a directory (a folder is expected there)"
            ])
        let large = try folder.write("large.conf", Data(repeating: 0x23, count: (1 << 20) + 1))
        #expect(diagnostics(of: .file(large)).map(\.message) == ["this file is larger than 1 MiB"])
    }

    /// Opening such a file could block for ever or have side effects on a device.
    @Test("FIFOs and devices are not opened as a configuration, a drop-in or a library")
    func others() throws {
        let fifo = "\(folder.path)/pipe.conf"
        try #require(mkfifo(fifo, 0o600) == 0)
        let refusal = "this is a FIFO, not a file"
        #expect(diagnostics(of: .file(fifo)).map(\.message) == [refusal])
        #expect(diagnostics(of: .file("/dev/zero")).map(\.message) == ["this is a device, not a file"])
        let file = try folder.write("my.conf", "[Playback]\nLibrary=pipe.conf")
        try folder.write("my.conf.d/a.conf", "")
        try #require(mkfifo("\(file).d/b.conf", 0o600) == 0)
        #expect(
            diagnostics(of: .file(file)).map(\.description) == [
                "\(file):2: error: Library=pipe.conf: \(fifo) is a FIFO (specify a folder of music, an M3U playlist or an audio file)",
                "\(file).d/b.conf: error: \(refusal) (save a pipe's output to a regular file, and specify that)",
            ])
    }

    @Test("A file in a drop-in folder without .conf causes a warning; backups and leftovers do not")
    func misnamed() throws {
        try folder.write("usr/tacet/tacet.conf", fadeIn(1))
        for name in ["50-board", "60-site.cfg", "70.conf~", "70.conf.bak", "80.conf.dpkg-old", "README", ".hidden"] {
            try folder.write("etc/tacet/tacet.conf.d/\(name)", "nonsense")
        }
        let dropIns = "\(roots[0])/tacet/tacet.conf.d"
        #expect(
            diagnostics(of: .folders(roots)).map(\.description) == [
                "\(dropIns)/50-board: warning: this file is ignored because a drop-in's name must end in .conf (rename it to \(dropIns)/50-board.conf, or move it elsewhere)",
                "\(dropIns)/60-site.cfg: warning: this file is ignored because a drop-in's name must end in .conf (rename it to \(dropIns)/60-site.cfg.conf, or move it elsewhere)",
            ])
        #expect(try load().files == ["usr/tacet/tacet.conf"])
    }

    @Test("A file without read permission is an error", .enabled(if: geteuid() != 0))
    func forbidden() throws {
        let file = try folder.write("my.conf", fadeIn(1))
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        #expect(diagnostics(of: .file(file)).first?.message == "cannot open this file: Permission denied")
    }
}
