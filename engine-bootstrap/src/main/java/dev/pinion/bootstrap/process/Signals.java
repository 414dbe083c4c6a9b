package dev.pinion.bootstrap.process;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Handles signals of the operating system.
 *
 * <p>The JDK offers this only in {@code sun.misc}; the compiler warns about its use, and the
 * warning cannot be suppressed, hence reflection. Its module exports it to everyone, on purpose.
 */
public final class Signals {
  private Signals() {}

  /**
   * Calls an action each time the signal arrives, instead of the JVM's default action. A signal
   * that is ignored when this JVM starts stays ignored, such as HUP below {@code nohup}.
   *
   * @param name name without {@code SIG}, such as {@code TERM}
   * @param action the action, run on a thread of the JVM
   */
  public static void handle(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      MethodHandle run =
          MethodHandles.lookup()
              .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
              .bindTo(action);
      Object instance =
          MethodHandleProxies.asInterfaceInstance(
              handler, MethodHandles.dropArguments(run, 0, signal));
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), instance);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot handle signal " + name, e);
    }
  }
}
