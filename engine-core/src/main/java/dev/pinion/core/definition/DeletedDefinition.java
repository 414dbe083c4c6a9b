package dev.pinion.core.definition;

/**
 * A definition that was deleted: instances that were started before, and journals that tell of
 * them, need what it held.
 *
 * @param stored what it held
 * @param fingerprint by which instances name that
 */
public record DeletedDefinition(StoredDefinition stored, long fingerprint) {}
