package dev.pinion.bootstrap.assembly;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.secret.SecretFolder;
import dev.pinion.core.secret.SecretSource;
import dev.pinion.core.secret.SecretSources;
import dev.pinion.core.secret.SecretVariables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Assembles the sources of secrets: a folder, the environment, and systemd's credentials. */
final class SecretAssembly {
  /** Variable in which systemd names the folder of a service's credentials. */
  private static final String CREDENTIALS = "CREDENTIALS_DIRECTORY";

  private SecretAssembly() {}

  /**
   * The sources in order.
   *
   * @param folder folder of secrets, or null
   */
  static SecretSource source(
      @Nullable Path folder, Map<String, String> environment, EngineLimits limits) {
    int maxBytes = limits.authentication().maxSecretBytes();
    PayloadCodec codec = new PayloadCodec(limits.json());
    List<SecretSource> sources = new ArrayList<>();
    if (folder != null) {
      sources.add(new SecretFolder(folder, "the folder of --secrets-directory", maxBytes, codec));
    }
    sources.add(new SecretVariables(environment, maxBytes, codec));
    String credentials = environment.getOrDefault(CREDENTIALS, "");
    if (Path.of(credentials).isAbsolute()) {
      sources.add(new SecretFolder(Path.of(credentials), "$" + CREDENTIALS, maxBytes, codec));
    }
    return new SecretSources(sources);
  }
}
