@org.jspecify.annotations.NullMarked
package dev.pinion.core.events;
