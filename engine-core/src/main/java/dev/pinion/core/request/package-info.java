/** Request Handler: HTTP in, kernel events out, replies back to the connection that asked. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.request;
