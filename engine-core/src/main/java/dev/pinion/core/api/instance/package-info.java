/** Starts of instances as clients send them, and instances as they are answered. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.api.instance;
