/** A third party's handler, as docs/handlers.md shows it. */
@org.jspecify.annotations.NullMarked
package com.example.handlers;
