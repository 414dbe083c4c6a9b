package dev.pinion.handlers.config;

import dev.pinion.handlers.api.HandlerFactory;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The kinds of handlers that chains may use, by name. Immutable.
 *
 * @param byName factories by the name that chains use
 */
public record HandlerKinds(SortedMap<String, HandlerFactory> byName) {
  private static final String NAME = "[a-z][a-z0-9-]{0,62}";

  /** Copies the factories. */
  public HandlerKinds {
    byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
  }

  /**
   * Every kind on a class path, and in further jars or folders, whose classes stay loaded.
   *
   * @throws IllegalArgumentException when a jar cannot be read, a name is malformed, or two
   *     factories have one name
   */
  public static HandlerKinds installed(ClassLoader classes, List<Path> jars) {
    if (jars.isEmpty()) {
      return installed(classes);
    }
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      Path jar = jars.get(i);
      if (!Files.isReadable(jar)) {
        throw new IllegalArgumentException(
            "expected a jar or folder with handlers that can be read, found " + jar);
      }
      try {
        urls[i] = jar.toUri().toURL();
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException("expected a jar or folder with handlers: " + jar, e);
      }
    }
    ClassLoader all = new URLClassLoader(urls, classes);
    return of(
        installed(all).byName().values().stream()
            .<HandlerFactory>map(kind -> new LoadedKind(kind, all))
            .toList());
  }

  /**
   * Every kind on a class path.
   *
   * @throws IllegalArgumentException when a name is malformed, or two factories have one name
   */
  public static HandlerKinds installed(ClassLoader classes) {
    List<HandlerFactory> found = new ArrayList<>();
    ServiceLoader.load(HandlerFactory.class, classes).forEach(found::add);
    return of(found);
  }

  /** These kinds and one more, which replaces another of its name. */
  public HandlerKinds with(HandlerFactory factory) {
    SortedMap<String, HandlerFactory> more = new TreeMap<>(byName);
    more.put(factory.name(), factory);
    return new HandlerKinds(more);
  }

  /** Some kinds; see {@link #installed}. */
  public static HandlerKinds of(List<HandlerFactory> factories) {
    SortedMap<String, HandlerFactory> byName = new TreeMap<>();
    for (HandlerFactory factory : factories) {
      String name = factory.name();
      if (!name.matches(NAME)) {
        throw new IllegalArgumentException(
            "expected the name of a kind of handlers to be of a-z, 0-9 and -, found \""
                + name
                + "\" of "
                + factory.getClass().getName());
      }
      HandlerFactory other = byName.put(name, factory);
      if (other != null) {
        throw new IllegalArgumentException(
            "expected one kind of handlers \""
                + name
                + "\", found it in "
                + other.getClass().getName()
                + " and "
                + factory.getClass().getName());
      }
    }
    return new HandlerKinds(byName);
  }
}
