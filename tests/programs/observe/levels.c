/* A server that tells the name of a level, and its client: `levels serve PORT` and `levels ask PORT` (the request on standard
   input). One request a connection: `level 2`. A connection without a request is closed. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *const names[] = {"off", "low", "middle", "high"};
static unsigned asked;

static const char *name_of(long level)
{
    asked++;
    if (level < 0)
        return "none";
    return names[level]; /* at fault: there are only four */
}

static void answer(int connection, const char *request)
{
    char reply[64];
    long level;
    if (sscanf(request, "level %ld", &level) != 1)
        snprintf(reply, sizeof reply, "what?\n");
    else
        snprintf(reply, sizeof reply, "%s\n", name_of(level));
    if (write(connection, reply, strlen(reply)) < 0)
        perror("write");
}

static int open_port(const char *port, struct sockaddr_in *address)
{
    int file = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_port = htons((unsigned short)atoi(port));
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    return file;
}

static int serve(const char *port)
{
    struct sockaddr_in address;
    int listening = open_port(port, &address);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 8)) {
        perror("listen");
        return 3;
    }
    for (;;) {
        char request[256];
        int connection = accept(listening, NULL, NULL);
        ssize_t length = connection < 0 ? -1 : read(connection, request, sizeof request - 1);
        if (length > 0) {
            request[length] = 0;
            answer(connection, request);
        }
        if (connection >= 0)
            close(connection);
    }
}

static int ask(const char *port)
{
    struct sockaddr_in address;
    char text[256];
    size_t length = fread(text, 1, sizeof text, stdin);
    int connection = open_port(port, &address);
    if (connect(connection, (struct sockaddr *)&address, sizeof address)) {
        perror("connect");
        return 3;
    }
    if (length == 0)
        return 4;
    if (write(connection, text, length) < 0)
        perror("write");
    ssize_t more = read(connection, text, sizeof text);
    if (more > 0)
        fwrite(text, 1, (size_t)more, stdout);
    close(connection);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    return strcmp(argv[1], "serve") ? ask(argv[2]) : serve(argv[2]);
}
