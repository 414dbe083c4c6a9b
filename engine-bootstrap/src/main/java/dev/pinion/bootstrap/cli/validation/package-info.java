/** Checks of files that hold definitions, and reports of what they find. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.validation;
