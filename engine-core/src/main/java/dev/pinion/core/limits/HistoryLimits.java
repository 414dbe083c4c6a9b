package dev.pinion.core.limits;

/** Bounds of the history of instances in a database. */
public record HistoryLimits(
    @Limit(
            value = 200,
            min = 1,
            max = 60_000,
            says = "time after which a journal without news is read again")
        int pollMillis,
    @Limit(
            value = 2_000,
            min = 1,
            max = 1_000_000,
            says = "records of a journal written in one transaction")
        int batchRecords,
    @Limit(
            value = 1 << 20,
            min = 1,
            max = 1 << 30,
            says =
                "bytes of records read at once, and of values written at once; one record or value "
                    + "may exceed it")
        int batchBytes,
    @Limit(
            value = 256 << 10,
            min = 0,
            max = 1 << 30,
            says =
                "characters of an input, output or error as JSON; longer errors are cut, of other "
                    + "values the length is kept")
        int maxValueChars,
    @Limit(
            value = 64 << 20,
            min = 0,
            max = 1 << 30,
            says =
                "bytes as JSON of the output or error of an instance that is kept in spite of "
                    + "maxValueChars, so that clients can read it")
        int maxOutputBytes,
    @Limit(
            value = 2_000,
            min = 0,
            max = 600_000,
            says = "time that a statement waits for a locked database")
        int busyMillis,
    @Limit(
            value = 1_000,
            min = 1,
            max = 600_000,
            says = "time after which a failed database is tried again")
        int retryMillis,
    @Limit(
            value = 30,
            min = 0,
            max = 36_600,
            says = "days that ended instances are kept; 0 for ever")
        int retainDays,
    @Limit(
            value = 1_000_000,
            min = 0,
            max = Integer.MAX_VALUE,
            says =
                "ended instances that are kept, but none goes within kernel.keepEndedSeconds; 0 "
                    + "for all")
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
            says = "connections, each with a thread, by which a replica answers questions")
        int readers,
    @Limit(
            value = 64,
            min = 1,
            max = 10_000,
            says = "questions that wait for a connection; more: 503")
        int maxQuestions,
    @Limit(
            value = 5_000,
            min = 1,
            max = 600_000,
            says = "time that the database may take for a question")
        int questionMillis,
    @Limit(value = 1_000, min = 1, max = 10_000, says = "events of one page") int maxEvents,
    @Limit(
            value = 1 << 20,
            min = 1,
            max = 1 << 30,
            says = "characters of the values of one page, as JSON; a page has one item at least")
        int maxPageChars) {}
