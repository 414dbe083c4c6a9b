package dev.pinion.bootstrap.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Configures Logback without a file, which saves the time of reading one: all output goes to
 * standard error. Found by Logback as a service.
 */
public final class LogbackConfigurator extends ContextAwareBase implements Configurator {
  private static final String OWN = "dev.pinion";

  /** For the service loader. */
  public LogbackConfigurator() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setLayout(layout(context));
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setName("stderr");
    console.setTarget("System.err");
    console.setEncoder(encoder);
    encoder.start();
    console.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Level level = Level.toLevel(System.getProperty(LogLineFormat.LEVEL_PROPERTY), Level.INFO);
    // Messages of libraries below a warning concern the libraries themselves.
    root.setLevel(level.isGreaterOrEqual(Level.WARN) ? level : Level.WARN);
    context.getLogger(OWN).setLevel(level);
    root.addAppender(console);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static Layout<ILoggingEvent> layout(LoggerContext context) {
    LayoutBase<ILoggingEvent> layout =
        LogLineFormat.current() == LogLineFormat.JSON ? new JsonLineLayout() : new TextLineLayout();
    layout.setContext(context);
    layout.start();
    return layout;
  }
}
