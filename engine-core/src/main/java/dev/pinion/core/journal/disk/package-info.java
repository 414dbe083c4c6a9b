/**
 * The port to the disk and its implementation on the operating system: files, locks, mappings,
 * shortages.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.journal.disk;
