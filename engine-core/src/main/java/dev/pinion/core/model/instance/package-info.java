/** What is known of an instance: its state, tags, start, parent and history. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.model.instance;
