package dev.pinion.handlers.servlet;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Objects of large interfaces with few supported methods. */
final class PartialProxy {
  private PartialProxy() {}

  /** An object whose calls a handler answers. */
  static <T> T of(Class<T> type, InvocationHandler answers) {
    return type.cast(
        Proxy.newProxyInstance(
            PartialProxy.class.getClassLoader(), new Class<?>[] {type}, answers));
  }

  /** Whether the first argument is the object whose calls the handler answers. */
  static boolean is(@Nullable Object[] arguments, InvocationHandler answers) {
    Object other = arguments.length == 0 ? null : arguments[0];
    return other != null
        && Proxy.isProxyClass(other.getClass())
        && Proxy.getInvocationHandler(other).equals(answers);
  }
}
