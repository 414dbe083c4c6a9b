/** A handler of somebody else's, as docs/handlers.md shows it. */
@org.jspecify.annotations.NullMarked
package com.example.handlers;
