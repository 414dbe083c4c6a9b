/** Tests of {@code bootstrap.profile}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.profile;
