/// The kinds of entries in the journal: `TACET_EVENT`. They are permanent, because people filter by them.
public enum JournalEvent: String, Hashable, Sendable, CaseIterable {
    case started
    case startRefused = "start-refused"
    case stopping
    case reloaded
    case reloadRefused = "reload-refused"
    case configurationRejected = "configuration-rejected"
    case configurationNotKept = "configuration-not-kept"
    case interruptionBegan = "interruption-began"
    case interruptionEnded = "interruption-ended"
    case interruptionHeard = "interruption-heard"
    case duckBegan = "duck-began"
    case duckChanged = "duck-changed"
    case duckEnded = "duck-ended"
    case soundBegan = "sound-began"
    case soundHeard = "sound-heard"
    case soundEnded = "sound-ended"
    case soundCut = "sound-cut"
    case soundExpired = "sound-expired"
    case soundBroken = "sound-broken"
    case signal
    case signalSuppressed = "signal-suppressed"
    case output
    case remark
    case microphone
    case command
    case programmeEnded = "programme-ended"
    case trackSkipped = "track-skipped"
    case mediaServicesLost = "media-services-lost"
    case mediaServicesReset = "media-services-reset"
    case configurationChanged = "configuration-changed"
    case routeChanged = "route-changed"
    case underrun
    case notRealTime = "not-real-time"
    case fault
    case faultCleared = "fault-cleared"
    case libraryEmpty = "library-empty"
    case libraryFound = "library-found"
    case foldersUnreadable = "folders-unreadable"
    case storageLost = "storage-lost"
    case storageReturned = "storage-back"
    case stateUnreadable = "state-unreadable"
    case placeLost = "place-lost"
    case stateUnwritable = "state-unwritable"
    case stateWrittenAgain = "state-written-again"
    case busLost = "bus-lost"
    case asleep
    case awake
    case sleepUndelayed = "sleep-undelayed"
    case hung

    /// `MESSAGE_ID`, by which `journalctl -x` finds the catalog's explanation. Permanent.
    public var messageID: String {
        switch self {
        case .started: "790f356d94ba4883b1637edcf7a19a38"
        case .startRefused: "7d4c1f0a52b94c6e8f3b0f5f6a1c9e27"
        case .stopping: "09611bead07a4f8b9a4a096c8c46e1a7"
        case .reloaded: "ac013633986d4965bb11b93dae1c1f06"
        case .reloadRefused: "91862fb0cc5b4e988ea8c59bea240a20"
        case .configurationRejected: "0c4faef154f5485a9f1b9982e8f273fe"
        case .configurationNotKept: "c99afa8b57e04e3eb86a5c98d1b32119"
        case .interruptionBegan: "d593067bf139485592f4009d9b101a94"
        case .interruptionEnded: "1ad45dfe9feb428384829124c75f9536"
        case .interruptionHeard: "8dc12972bc1a4579b2770018cb471196"
        case .duckBegan: "2c939d44ff57482da73ac7b20afbfcc3"
        case .duckChanged: "4b1e449201a2479d9aa4897e55ed1945"
        case .duckEnded: "b01a35d667844a1fbb04578a7b880b22"
        case .soundBegan: "8794f11dbb764ea9a0eec6de9de259a9"
        case .soundHeard: "18b867dfa6c74f5e87e9a1b8bb6b3bb3"
        case .soundEnded: "6df970fe0a024c8eaf8497cc488f5324"
        case .soundCut: "15f0841991634190ade93eb191f1afa7"
        case .soundExpired: "0511aea968be4a6090bbb9557d0e8b09"
        case .soundBroken: "8ac441cfa95f413f8b54c34fa1f00fd7"
        case .signal: "5a1d1b3fd1d246d7a8c8b0f2d2f8f5a6"
        case .signalSuppressed: "ce1d483d14114412bbbfb76988cf39f3"
        case .output: "d2d9815761074eb9a7b9e822867ae702"
        case .remark: "0f6b7c1e9d8a4e52b3b1a94e7c2d5f10"
        case .microphone: "3654cbeea45e4fa390e355035dc9f3d4"
        case .command: "aa0352e8ef2b46f8aaa6b46d9fcb3410"
        case .programmeEnded: "a77496024f7c4282b0216f05a7b6a0f4"
        case .trackSkipped: "dc84eb892dcc46f58f86d2a5b6430a5c"
        case .mediaServicesLost: "d8abaa5ec6a74eff807aa36105e2cda8"
        case .mediaServicesReset: "45355862f7e247408220be6d2b156164"
        case .configurationChanged: "8fe0e6c72ea741df8032edd7879b00f5"
        case .routeChanged: "5b910666c90a463aa46c98aea66d409a"
        case .underrun: "284122e36ac74a79a97c9c9b36de2346"
        case .notRealTime: "7eff49565bdd4b379ee128ce0e0eea7e"
        case .fault: "60bfe0313f574533bfd9b866c13dfe9c"
        case .faultCleared: "835ad29c46224a9a9c57c3c74240d462"
        case .libraryEmpty: "66cab5d598ed4bdd9d4821b775ec2ef7"
        case .libraryFound: "ae30798de7a14798b2ba96595b27254d"
        case .foldersUnreadable: "5cf0e7fd2e1c4c7f8a2b0b3f6a9c1d42"
        case .storageLost: "ce220c906b624128b75f72f5de0e58dc"
        case .storageReturned: "cbd0240976674816aca623b6f9e421a6"
        case .stateUnreadable: "e5944b4038c9434f9a9f503f22aed714"
        case .placeLost: "6d0a3b7be9a24d0f8c54f1e02b97a31c"
        case .stateUnwritable: "8d3fdb37bd684ba4ac492972ba424922"
        case .stateWrittenAgain: "92f2f2a8e0a447b3abb9f5948a57dd4f"
        case .busLost: "86933aaa53b74c1cb2d1011d30beafe0"
        case .asleep: "b92e50a858ed459c8613a32e6e183525"
        case .awake: "772b11a318a44b99b33fe19965ed8c26"
        case .sleepUndelayed: "ecbdfa98f22a46e2813d45a0df2b5668"
        case .hung: "fc4db19c76564b3bb4f59ed40b9b8bcc"
        }
    }
}
