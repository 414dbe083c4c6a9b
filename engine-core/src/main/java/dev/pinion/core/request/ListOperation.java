package dev.pinion.core.request;

import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** One page of instances: every kernel's newest ones, merged. */
final class ListOperation extends Inquiry {
  /** Lists that one handler makes at a time; a further one is answered 503. */
  static final int MAX_UNDER_WAY = 64;

  private final RequestHandler handler;
  private final InstanceFilter filter;
  private final Page page;
  private final List<InstanceView> found = new ArrayList<>();
  private int missing;

  /** Shows a page. */
  @FunctionalInterface
  interface Page {
    /**
     * Answers with instances.
     *
     * @param instances newest first
     * @param more whether there are older ones
     */
    void show(Exchange exchange, List<InstanceView> instances, boolean more);
  }

  ListOperation(Exchange exchange, RequestHandler handler, InstanceFilter filter, Page page) {
    super(exchange);
    this.handler = handler;
    this.filter = filter;
    this.page = page;
  }

  void ask() throws Refusal {
    KernelDirectory kernels = handler.ports().kernels();
    missing = kernels.kernels();
    long request = exchange().await(this, 0);
    KernelQuery.ListInstances question =
        new KernelQuery.ListInstances(
            filter.namespace(),
            filter.name(),
            filter.state(),
            filter.before(),
            filter.limit() + 1,
            new ReplyAddress(handler.index(), request));
    if (!kernels.offerToAll(question)) {
      throw new Refusal(Problem.overload("kernel.inboxCapacity"));
    }
  }

  @Override
  void onReply(KernelReply reply) {
    if (!(reply instanceof KernelReply.Page part)) {
      throw new IllegalStateException("expected a page of instances, found " + reply);
    }
    found.addAll(part.instances());
    missing--;
    if (missing == 0) {
      found.sort(Comparator.comparing(InstanceView::id).reversed());
      boolean more = found.size() > filter.limit();
      page.show(exchange(), more ? found.subList(0, filter.limit()) : found, more);
    }
  }
}
