/** Tests of {@code bootstrap.profile.recording}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.profile.recording;
