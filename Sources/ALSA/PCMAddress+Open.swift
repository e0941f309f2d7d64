import CALSA
import Synchronization

extension PCMAddress {
    /// Opening is not re-entrant in libasound's plug-ins.
    private static let turn = Mutex(())

    /// Opens what is there, with the configuration that defines it, or nil for the system's own; one thread at a time.
    /// - Returns: what the body does: an `errno` code, negative, or more.
    func open(_ body: (String, OpaquePointer?) -> Int32) throws(PCMError) -> Int32 {
        var configuration: OpaquePointer?
        if let definition { configuration = try self.configuration(of: definition) }
        defer { if let configuration { snd_config_delete(configuration) } }
        return PCMAddress.turn.withLock { _ in body(name, configuration) }
    }

    /// - Returns: to be deleted by the caller.
    private func configuration(of definition: String) throws(PCMError) -> OpaquePointer {
        var configuration: OpaquePointer?
        var code = snd_config_top(&configuration)
        if code >= 0 {
            var input: OpaquePointer?
            code = snd_input_buffer_open(&input, definition, definition.utf8.count)
            if code >= 0 {
                code = snd_config_load(configuration, input)
                snd_input_close(input)
            }
        }
        guard code >= 0, let configuration else {
            if let configuration { snd_config_delete(configuration) }
            throw .system(code, operation: "configure", device: name)
        }
        return configuration
    }
}
