/** The port of handlers around requests and calls, with its message model. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.interception;
