/** Recording of this JVM by its flight recorder. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.profile.recording;
