package dev.pinion.core.limits;

/** Bounds of the files on disk, for each replica. */
public record JournalLimits(
    @Limit(
            value = 64 << 20,
            min = 1 << 16,
            max = 1 << 30,
            says = "least size of one file of the journal; one spare file is made in advance")
        int segmentBytes,
    @Limit(
            value = 1 << 16,
            min = 2,
            max = 1 << 20,
            says =
                "records on their way to the disk; with half of them there a further start is "
                    + "refused")
        int laneCapacity,
    @Limit(
            value = 256 << 20,
            min = 1,
            max = 1 << 30,
            says =
                "bytes of records since the last snapshot after which another one is made; "
                    + "more after a large snapshot")
        int snapshotLogBytes,
    @Limit(
            value = 1 << 20,
            min = 0,
            max = 1 << 30,
            says =
                "bytes of records since the last snapshot from which on one is made when the "
                    + "engine is closed; fewer are replayed sooner than a snapshot is written")
        int closeLogBytes,
    @Limit(
            value = 384 << 20,
            min = 0,
            max = 1 << 30,
            says =
                "bytes of replaced segments that are kept for readers that follow the "
                    + "journal, such as the history; none while the disk is full")
        int keptLogBytes,
    @Limit(
            value = 1 << 30,
            min = 1 << 16,
            max = Integer.MAX_VALUE,
            says =
                "bytes of the journal that the history has not read yet; with more, starts "
                    + "are refused while it makes progress, and twice as much is kept for it")
        int unreadLogBytes,
    @Limit(
            value = 16 << 20,
            min = 1 << 16,
            max = 1 << 30,
            says =
                "bytes of a snapshot on their way to the disk, besides one entry of each kernel; "
                    + "with more, kernels pause the snapshot")
        int snapshotLaneBytes) {}
