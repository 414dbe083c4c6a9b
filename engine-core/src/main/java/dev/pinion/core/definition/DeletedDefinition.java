package dev.pinion.core.definition;

/**
 * A deleted definition: instances that were started before, and journals that mention them, need
 * its content.
 *
 * @param stored its content
 * @param fingerprint fingerprint by which instances refer to the content
 */
public record DeletedDefinition(StoredDefinition stored, long fingerprint) {}
