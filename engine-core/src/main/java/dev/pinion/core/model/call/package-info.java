/** What tasks ask of the world outside: calls, messages, programs, children; secrets, outcomes. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.model.call;
