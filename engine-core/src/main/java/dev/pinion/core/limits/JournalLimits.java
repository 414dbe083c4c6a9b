package dev.pinion.core.limits;

/** Bounds of the files on disk, for each replica. */
public record JournalLimits(
    @Limit(
            value = 64 << 20,
            min = 1 << 16,
            max = 1 << 30,
            says = "least size of a file of the journal; one spare file is made ahead")
        int segmentBytes,
    @Limit(
            value = 1 << 16,
            min = 2,
            max = 1 << 20,
            says = "records on their way to the disk; with half of them a further start is refused")
        int laneCapacity,
    @Limit(
            value = 256 << 20,
            min = 1,
            max = 1 << 30,
            says = "bytes of records after which a snapshot is made; more after a large snapshot")
        int snapshotLogBytes,
    @Limit(
            value = 1 << 20,
            min = 0,
            max = 1 << 30,
            says =
                "bytes of records from which on a snapshot is made when the engine closes; fewer "
                    + "are replayed sooner")
        int closeLogBytes,
    @Limit(
            value = 384 << 20,
            min = 0,
            max = 1 << 30,
            says =
                "bytes of replaced segments kept for readers such as the history; none while the "
                    + "disk is full")
        int keptLogBytes,
    @Limit(
            value = 1 << 30,
            min = 1 << 16,
            max = Integer.MAX_VALUE,
            says =
                "bytes that the history has not read; with more, starts are refused while it makes "
                    + "progress, and twice as much is kept for it")
        int unreadLogBytes,
    @Limit(
            value = 16 << 20,
            min = 1 << 16,
            max = 1 << 30,
            says =
                "bytes of a snapshot on their way to the disk, besides one entry of each kernel; "
                    + "with more, kernels pause it")
        int snapshotLaneBytes) {}
