package dev.pinion.core.limits;

/** Bounds of external events, in each replica unless stated otherwise. */
public record EventLimits(
    @Limit(
            value = 1_024,
            min = 1,
            max = 1_000_000,
            says = "requests with events that wait to be stored; more: 429")
        int maxWaiting,
    @Limit(
            value = 64 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says =
                "approximate heap bytes of waiting events; more: 429, but one is accepted when no "
                    + "other waits")
        int maxWaitingBytes,
    @Limit(value = 1_000, min = 1, max = 100_000, says = "events of a request; more: 400")
        int maxBatch,
    @Limit(value = 2_048, min = 64, max = 1 << 16, says = "characters of an attribute; more: 400")
        int maxAttributeChars,
    @Limit(
            value = 1_440,
            min = 1,
            max = 525_600,
            says = "time in which a repeated event is recognized by source and id")
        int rememberMinutes,
    @Limit(
            value = 1_000_000,
            min = 1,
            max = 100_000_000,
            says =
                "events remembered for that, of all replicas; beyond it the oldest are forgotten")
        int maxRemembered,
    @Limit(
            value = 1_000_000,
            min = 1,
            max = 100_000_000,
            says =
                "subjects whose last event of a type is kept, of all replicas; beyond it the "
                    + "oldest of types that no handler reads are forgotten, else 503")
        int maxKept,
    @Limit(
            value = 64 << 20,
            min = 0,
            max = Integer.MAX_VALUE,
            says =
                "approximate heap bytes of the rows of all tables; further rows are read from disk")
        int maxTableBytes,
    @Limit(
            value = 200,
            min = 1,
            max = 60_000,
            says = "time between two polls for events of other replicas")
        int pollMillis,
    @Limit(
            value = 5_000,
            min = 1,
            max = 600_000,
            says = "time that a write waits for other replicas")
        int busyMillis,
    @Limit(
            value = 1_000_000,
            min = 1,
            max = 100_000_000,
            says = "events that a replica has not matched or a sink has not received; more: 503")
        int maxLogged,
    @Limit(
            value = 1 << 30,
            min = 1 << 16,
            max = Integer.MAX_VALUE,
            says = "bytes of these events as JSON; more: 503")
        int maxLogBytes,
    @Limit(
            value = 100_000,
            min = 1,
            max = 10_000_000,
            says = "emitted events that wait for one sink; beyond it the oldest are lost")
        int maxSinkLag,
    @Limit(
            value = 0,
            min = 0,
            max = 86_400_000,
            says = "time that unheard events are kept for listeners to come; 0 drops them")
        int keepMillis,
    @Limit(
            value = 16 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says =
                "approximate heap bytes of events that a kernel keeps for listeners to come; "
                    + "beyond it the oldest are dropped")
        int maxUnheardBytes) {}
