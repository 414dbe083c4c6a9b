package dev.pinion.handlers.servlet;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Objects of large interfaces of which little is supported. */
final class Facade {
  private Facade() {}

  /** An object whose calls something else answers. */
  static <T> T of(Class<T> type, InvocationHandler answers) {
    return type.cast(
        Proxy.newProxyInstance(Facade.class.getClassLoader(), new Class<?>[] {type}, answers));
  }

  /** Whether an object is the one whose calls that answers. */
  static boolean is(@Nullable Object[] arguments, InvocationHandler answers) {
    Object other = arguments.length == 0 ? null : arguments[0];
    return other != null
        && Proxy.isProxyClass(other.getClass())
        && Proxy.getInvocationHandler(other).equals(answers);
  }
}
