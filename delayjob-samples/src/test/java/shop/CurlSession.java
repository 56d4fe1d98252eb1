package shop;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands of a page's {@code console} blocks that call {@code curl}, with the answers that the page shows. */
final class CurlSession {

    private static final Pattern COMMENT = Pattern.compile("\\s+#\\s*(\\d{3})?.*$");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    /**
     * One command.
     *
     * @param line as it stands on the page
     * @param status the status that its comment begins with; 0: any that says that all is well
     * @param answer the JSON below it; empty where none is shown
     */
    record Command(String line, int status, String answer) {

        /** Sends it to the shop at that port, with {@code <id>} replaced. */
        HttpResponse<String> send(int port, String id) throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder();
            String method = "GET";
            String body = "";
            List<String> words = words();
            for (int i = 1; i < words.size(); i++) {
                switch (words.get(i)) {
                    case "-s" -> {}
                    case "-X" -> method = words.get(++i);
                    case "-d" -> body = words.get(++i);
                    case "-H" -> {
                        String[] header = words.get(++i).split(": ", 2);
                        request.header(header[0], header[1]);
                    }
                    default ->
                        request.uri(URI.create("http://"
                                + words.get(i).replace(":8080", ":" + port).replace("<id>", id)));
                }
            }
            return HttpClient.newHttpClient()
                    .send(
                            request.method(method, HttpRequest.BodyPublishers.ofString(body))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        }

        private List<String> words() {
            List<String> words = new ArrayList<>();
            for (Matcher word = WORD.matcher(COMMENT.matcher(line).replaceFirst("")); word.find(); ) {
                words.add(word.group(1) == null ? word.group(2) : word.group(1));
            }
            return words;
        }
    }

    private CurlSession() {}

    static List<Command> of(Page page) {
        List<Command> commands = new ArrayList<>();
        for (Page.Block block : page.blocks("console")) {
            for (String text : block.code().split("(?m)^\\$ ")) {
                if (text.startsWith("curl ")) {
                    String line = text.lines().findFirst().orElseThrow();
                    Matcher comment = COMMENT.matcher(line);
                    boolean statesStatus = comment.find() && comment.group(1) != null;
                    commands.add(new Command(
                            line,
                            statesStatus ? Integer.parseInt(comment.group(1)) : 0,
                            text.substring(line.length()).replace("\n", "")));
                }
            }
        }
        return commands;
    }
}
