/** When scheduled definitions are due. Pure functions of time; nothing here reads a clock. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.schedule;
