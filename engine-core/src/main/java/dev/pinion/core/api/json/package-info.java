/** The JSON in which instances and definitions are answered. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.api.json;
