/** Compiles events: those that tasks emit and consume, and schedules, which may follow some. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.language.event;
