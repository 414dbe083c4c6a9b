package dev.pinion.core.limits;

/** Bounds of the history of instances in a database. */
public record HistoryLimits(
    @Limit(
            value = 200,
            min = 1,
            max = 60_000,
            says = "time after which a journal without news is polled again")
        int pollMillis,
    @Limit(
            value = 2_000,
            min = 1,
            max = 1_000_000,
            says = "records of a journal whose effects are written in one transaction")
        int batchRecords,
    @Limit(
            value = 1 << 20,
            min = 1,
            max = 1 << 30,
            says =
                "bytes of records that are read at once, and of values, as JSON, that are "
                    + "written at once; one record or value may exceed it")
        int batchBytes,
    @Limit(
            value = 256 << 10,
            min = 0,
            max = 1 << 30,
            says =
                "characters of one input, output or error as JSON; a longer error is cut, of "
                    + "any other longer value only the length is kept")
        int maxValueChars,
    @Limit(
            value = 64 << 20,
            min = 0,
            max = 1 << 30,
            says =
                "bytes of the output or error of an instance as JSON that is kept regardless "
                    + "of maxValueChars, compressed, so that clients can read it after its replica "
                    + "forgot it")
        int maxOutputBytes,
    @Limit(
            value = 2_000,
            min = 0,
            max = 600_000,
            says = "time that a statement waits for a database that another process has locked")
        int busyMillis,
    @Limit(
            value = 1_000,
            min = 1,
            max = 600_000,
            says = "time after which a database that failed is tried again")
        int retryMillis,
    @Limit(
            value = 30,
            min = 0,
            max = 36_600,
            says = "how long ended instances are kept; 0 for ever")
        int retainDays,
    @Limit(
            value = 1_000_000,
            min = 0,
            max = Integer.MAX_VALUE,
            says =
                "ended instances that are kept, the oldest go first, but none for "
                    + "kernel.keepEndedSeconds; 0 for all")
        int retainInstances,
    @Limit(
            value = 60,
            min = 1,
            max = 86_400,
            says = "time between two searches for instances to delete")
        int sweepSeconds,
    @Limit(
            value = 2,
            min = 1,
            max = 64,
            says = "connections by which a replica answers questions, each with a thread")
        int readers,
    @Limit(
            value = 64,
            min = 1,
            max = 10_000,
            says = "questions that wait for a connection; a further one is answered 503")
        int maxQuestions,
    @Limit(
            value = 5_000,
            min = 1,
            max = 600_000,
            says = "time that the database may take to answer a question")
        int questionMillis,
    @Limit(value = 1_000, min = 1, max = 10_000, says = "most events of one page") int maxEvents,
    @Limit(
            value = 1 << 20,
            min = 1,
            max = 1 << 30,
            says =
                "characters of the values of one page, as JSON; a page ends early there, but "
                    + "has one item at least")
        int maxPageChars) {}
