/** What the clients of all protocols share. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.client.call;
