/** Commands on definitions. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.definition;
