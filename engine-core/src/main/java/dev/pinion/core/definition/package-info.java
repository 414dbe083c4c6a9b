/**
 * Deployed definitions: validation, versions, storage, and the compiled graphs the kernel reads.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.definition;
