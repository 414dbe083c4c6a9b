package dev.pinion.core.invoker;

import dev.pinion.core.invoker.http.HostResolver;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Addresses of names, set by a test. */
public final class FakeHostResolver implements HostResolver {
  /** Questions so far, such as {@code V4 pets.example}. */
  public final List<String> questions = new CopyOnWriteArrayList<>();

  private final Answers answers;

  /** Answers to questions. */
  @FunctionalInterface
  public interface Answers {
    Future<List<InetAddress>> lookUp(String name, Family family);
  }

  private FakeHostResolver(Answers answers) {
    this.answers = answers;
  }

  public static FakeHostResolver answering(Answers answers) {
    return new FakeHostResolver(answers);
  }

  /** A source with the same addresses for every name, each family by a separate question. */
  public static FakeHostResolver of(String... literals) {
    List<InetAddress> all = addresses(literals);
    return new FakeHostResolver(
        (name, family) -> {
          List<InetAddress> wanted = new ArrayList<>(all);
          int bytes = family == Family.V4 ? 4 : 16;
          wanted.removeIf(address -> address.getAddress().length != bytes);
          return found(wanted);
        });
  }

  public static List<InetAddress> addresses(String... literals) {
    List<InetAddress> all = new ArrayList<>();
    for (String literal : literals) {
      try {
        all.add(InetAddress.getByName(literal));
      } catch (UnknownHostException e) {
        throw new AssertionError(e);
      }
    }
    return all;
  }

  public static Future<List<InetAddress>> found(List<InetAddress> addresses) {
    return ImmediateEventExecutor.INSTANCE.newSucceededFuture(addresses);
  }

  static Future<List<InetAddress>> none(Exception reason) {
    return ImmediateEventExecutor.INSTANCE.newFailedFuture(reason);
  }

  public static Promise<List<InetAddress>> never() {
    return ImmediateEventExecutor.INSTANCE.newPromise();
  }

  @Override
  public List<InetAddress> cached(String host, long nowNanos) {
    return List.of();
  }

  @Override
  public Future<List<InetAddress>> lookUp(String host, Family family) {
    questions.add(family + " " + host);
    return answers.lookUp(host, family);
  }

  @Override
  public void close() {}
}
