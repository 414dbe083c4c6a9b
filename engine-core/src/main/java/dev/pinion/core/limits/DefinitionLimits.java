package dev.pinion.core.limits;

/** Bounds of definitions. */
public record DefinitionLimits(
    @Limit(
            value = 4 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says = "bytes of a document, as text and as JSON with aliases resolved")
        int maxBytes,
    @Limit(value = 10_000, min = 1, max = 1_000_000, says = "tasks of a document") int maxTasks,
    @Limit(
            value = 10_000,
            min = 1,
            max = 100_000,
            says = "tasks and cases of switches of a document that is drawn; larger ones are not")
        int maxDrawnTasks,
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says = "deployed definitions, all versions counted")
        int maxDefinitions,
    @Limit(
            value = 100,
            min = 1,
            max = 10_000,
            says = "problems reported for a document; one more says that there are more")
        int maxProblems,
    @Limit(
            value = 10_000,
            min = 1,
            max = 100_000,
            says = "parts of a regular expression of a schema, repetitions written out")
        int maxPatternSize,
    @Limit(
            value = 64 << 10,
            min = 16,
            max = 1 << 20,
            says = "characters (UTF-16 units) of an expression")
        int maxExpressionChars,
    @Limit(value = 32, min = 0, max = 1_000, says = "documents to which a definition refers")
        int maxDocuments,
    @Limit(
            value = 1 << 20,
            min = 1 << 10,
            max = 64 << 20,
            says = "bytes of these documents together")
        int maxDocumentBytes,
    @Limit(value = 20_000, min = 100, max = 600_000, says = "time to fetch these documents")
        int fetchMillis) {}
