/* A server that keeps count of what is on a shelf: `shelf serve PORT`; `shelf send PORT` sends it standard input and prints what it
   answers. Lines are `put NUMBER` and `take NUMBER`. Nobody asks whether there is as much as is taken. */
#include <assert.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int on_shelf = 3;

static struct sockaddr_in address_of(const char *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void change(const char *line)
{
    int number;
    if (sscanf(line, "put %d", &number) == 1)
        on_shelf += number;
    else if (sscanf(line, "take %d", &number) == 1)
        on_shelf -= number;
}

static void answer(int client)
{
    FILE *in = fdopen(dup(client), "r"), *out = fdopen(client, "w");
    char line[256];
    while (fgets(line, sizeof line, in))
        change(line);
    assert(on_shelf >= 0);
    fprintf(out, "%d on the shelf\n", on_shelf);
    fclose(in);
    fclose(out);
}

static int serve(struct sockaddr_in address)
{
    int server = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(server, (struct sockaddr *)&address, sizeof address) || listen(server, 8))
        return perror("shelf"), 1;
    puts("ready");
    fflush(stdout);
    for (;;)
        answer(accept(server, NULL, NULL));
}

static int send_input(struct sockaddr_in address)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    char buffer[256];
    ssize_t count;
    if (connect(server, (struct sockaddr *)&address, sizeof address))
        return perror("shelf"), 1;
    while ((count = read(STDIN_FILENO, buffer, sizeof buffer)) > 0)
        write(server, buffer, count);
    shutdown(server, SHUT_WR);
    while ((count = read(server, buffer, sizeof buffer)) > 0)
        write(STDOUT_FILENO, buffer, count);
    return 0;
}

int main(int count, char **words)
{
    if (count != 3)
        return 2;
    return strcmp(words[1], "serve") ? send_input(address_of(words[2])) : serve(address_of(words[2]));
}
