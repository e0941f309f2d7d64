import Configuration
import Signals

/// A source of levels: it reports their changes in an event loop, and keeps looking for what is missing.
///
/// A level is true if it is high, on, plugged in or asserted; `ActiveLow=` applies to all of them.
protocol LevelFeed: AnyObject {
    /// Called with changes, in their order.
    var onChanges: ([LevelChange<WireID>]) -> Void { get set }
    /// As last reported; nil if it is missing.
    func level(of id: WireID) -> Bool?
    /// Where the level comes from, for people; nil if it is missing, or there is no more to say than is configured.
    func place(of id: WireID) -> String?
    /// Why a level is missing; nil if it is not.
    func problem(of id: WireID) -> String?
    /// Reads the levels again, and drops the changes up to now.
    func refresh()
    /// A hint: a missing device can have appeared.
    func lookAgain()
    /// Releases the devices, so that a successor can acquire them. It reports nothing any more.
    func letGo()
}
