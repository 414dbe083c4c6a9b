/** Commands on schedules: list, pause, resume. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.schedule;
