/** Tests of {@code bootstrap.cli.profile}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.profile;
