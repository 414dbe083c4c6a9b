/** Tests of {@code bootstrap.cli.definition}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.definition;
