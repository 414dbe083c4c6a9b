/** Commands on journals. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.journal;
